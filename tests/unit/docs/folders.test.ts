import { existsSync, readdirSync } from "node:fs";
import { root } from "../../support/documents";

const ofProvider = /^(api|contract|functions|hosts|inputs|lifecycle|observe|reconcile|resources)\/.*\.test\.ts$/;

it("a unit test of the provider has the name of the file that it tests", () => {
    const all = readdirSync(`${root}/tests/unit`, { recursive: true, encoding: "utf8" });
    const tests = all.filter((path) => ofProvider.test(path));
    const sourceOf = (test: string) => test.replace(/(\w+)\.[^/]*$/, "$1.ts");
    expect(tests.length).toBeGreaterThan(50);
    expect(tests.filter((test) => !existsSync(`${root}/provider/${sourceOf(test)}`))).toEqual([]);
});

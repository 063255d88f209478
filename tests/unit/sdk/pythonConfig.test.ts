import { settingNames } from "../../../provider/api/settings";
import { read } from "../../support/documents";

test("the declarations of the configuration in Python have the names of its module", () => {
    const folder = "sdk/python/pulumi_clouddb/config";
    const declared = [...read(`${folder}/__init__.pyi`).matchAll(/^(\w+): /gm)].map(([, name]) => name);
    const defined = [...read(`${folder}/vars.py`).matchAll(/def (\w+)\(self\)/g)].map(([, name]) => name);
    expect(declared).toHaveLength(settingNames.length);
    expect(declared).toEqual(defined);
});

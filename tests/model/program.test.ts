import { untypedResources } from "../../provider/resources";
import { keys, typeOf, type Program } from "./program";
import { Stack } from "./stack";

const declarations: Program = {
    network: { name: "net" },
    orders: { generation: 1 },
    readers: { nodes: 1, cpuMillis: 500, generation: 1 },
};

/** With each resource that a program can have. */
const program: Program = { ...Object.fromEntries(keys.map((key) => [key, { generation: 1 }])), ...declarations };

test.each(keys)("the person gives %s another name if its kind has one", (key) => {
    const stack = new Stack("dev", { host: "dynamic", isTypeScript: true });
    stack.program = program;
    const nameOf = () => stack.declared().find((one) => one.key === key)?.inputs.name;
    const before = nameOf();
    stack.renamed.add(key);
    if ("name" in untypedResources[typeOf[key]].fields) {
        expect(nameOf()).toMatch(/-dev$/);
        expect(nameOf()).not.toBe(before);
    } else {
        expect(nameOf()).toBeUndefined();
    }
});

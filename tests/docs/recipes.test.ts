import { execFileSync } from "node:child_process";
import { filesBelow } from "../support/documents";
import { RepositoryCopy } from "../support/repository";

// The finished input and the finished kind of CONTRIBUTING. If one no longer applies, apply it with `git apply --3way` and correct
// it. Its text is what `git diff -U1 HEAD` says about the files that are not generated, after `git add`.

const patches = filesBelow("tests/recipes", ".patch");

test("the input and the kind of tests/recipes apply, and what is generated from them compiles and passes its tests", () => {
    const { folder } = new RepositoryCopy();
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder });
    const jest = (...args: string[]) => run("npx", "jest", "--config", "jest.config.js", ...args);
    run("git", "apply", ...patches);
    run("npm", "run", "generate");
    run("npx", "tsc", "--noEmit");
    const derived = [
        ...["unit/resources/(index|secrets)", "unit/lifecycle/(check|metadata.upgrade)", "unit/docs/kinds"],
        ...["unit/api/answer", "model/histories"],
    ];
    const tests = ["tests/contract", "service/(plan|statementTimeout)", ...derived];
    jest(...tests);
    jest("tests/properties/(requests|convergence|prediction)", "-t", "VpnConnection|Service");
});

import { execFileSync } from "node:child_process";
import { RepositoryCopy } from "../support/repository";

// The finished input and the finished kind of CONTRIBUTING. If one no longer applies, apply it with `git apply --3way` and correct
// it. Its text is what `git diff -U1 HEAD` says about the files that are not generated, after `git add`.

test("the input and the kind of tests/recipes apply, and what is generated from them compiles and passes its tests", () => {
    const { folder } = new RepositoryCopy();
    const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder });
    run("git", "apply", "tests/recipes/input.patch", "tests/recipes/kind.patch");
    run("npm", "run", "generate");
    run("npx", "tsc", "--noEmit");
    const derived = ["unit/resources/(index|secrets)", "metadata.upgrade"];
    const tests = ["tests/contract", "service/(plan|statementTimeout)", ...derived];
    // The published description has neither.
    run("npx", "jest", "--config", "jest.config.js", ...tests, "--testPathIgnorePatterns", "contract/described");
});

/** A reporter of Stryker that changes what Stryker is about to test. */
import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commonTokens, declareClassPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";
import { TestStatus } from "@stryker-mutator/api/test-runner";
import { report } from "../lib/repository.mjs";

export const strykerValidationSchema = { properties: { sample: { type: "number" } } };

/** Another number selects other mutants. */
const seed = 1;

/** `size` mutants of each file, or all if there are fewer. The same ones for the same source. */
function sampleOf(mutants, size) {
    const rankOf = ({ mutatorName, replacement, location }) =>
        hash("sha256", JSON.stringify([seed, mutatorName, replacement, location]));
    const ranked = mutants.toSorted((one, other) => rankOf(one).localeCompare(rankOf(other)));
    const files = [...new Set(mutants.map(({ fileName }) => fileName))];
    return files.flatMap((file) => ranked.filter(({ fileName }) => fileName === file).slice(0, size));
}

class Plan {
    static inject = tokens(commonTokens.options);

    constructor(options) {
        this.options = options;
    }

    onDryRunCompleted({ result }) {
        this.allTestsMs = result.tests.reduce((sum, { timeSpentMs }) => sum + timeSpentMs, 0);
        const skipped = result.tests.filter(({ status }) => status === TestStatus.Skipped);
        skipped.forEach(({ name }) => report("not used", name, "mutate"));
    }

    /** Stryker tests what is left in the list. */
    onMutationTestingPlanReady({ mutantPlans }) {
        const { sample, tempDirName } = this.options;
        const [tested, others] = [true, false].map((one) => mutantPlans.filter(({ plan }) => (plan === "Run") === one));
        // Code that runs while a module loads, and later again: Stryker would only select the tests that run it later.
        for (const { runOptions } of tested.filter(({ mutant }) => mutant.static)) {
            const timeout = runOptions.timeout + this.options.timeoutFactor * this.allTestsMs;
            Object.assign(runOptions, { testFilter: undefined, timeout });
        }
        const mutants = tested.map(({ mutant }) => mutant);
        const selected = new Set(sample === undefined ? mutants : sampleOf(mutants, sample));
        const left = [...others, ...tested.filter(({ mutant }) => selected.has(mutant))];
        mutantPlans.splice(0, mutantPlans.length, ...left);
        const files = Object.fromEntries(mutants.map(({ id, fileName }) => [id, fileName]));
        // For the order of the tests.
        writeFileSync(join(tempDirName, "files.json"), JSON.stringify(files));
    }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, "plan", Plan)];

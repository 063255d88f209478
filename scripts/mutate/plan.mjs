/** A reporter of Stryker that changes what Stryker is about to test. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commonTokens, declareClassPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";
import { TestStatus } from "@stryker-mutator/api/test-runner";
import { report } from "../lib/repository.mjs";

export const strykerValidationSchema = {
    properties: { sample: { type: "object", properties: { size: { type: "number" }, seed: { type: "number" } } } },
};

/** `size` mutants of each file, or all if there are fewer. The same ones for the same source and seed. */
function sampleOf(mutants, { size, seed }) {
    const rankOf = ({ mutatorName, replacement, location }) =>
        createHash("sha256")
            .update(JSON.stringify([seed, mutatorName, replacement, location]))
            .digest("hex");
    const ranked = mutants.map((mutant) => ({ mutant, rank: rankOf(mutant) }));
    ranked.sort((one, other) => one.rank.localeCompare(other.rank));
    const inOrder = ranked.map(({ mutant }) => mutant);
    const files = [...new Set(mutants.map(({ fileName }) => fileName))];
    return files.flatMap((file) => inOrder.filter(({ fileName }) => fileName === file).slice(0, size));
}

class Plan {
    static inject = tokens(commonTokens.options);

    constructor(options) {
        this.options = options;
    }

    onDryRunCompleted({ result }) {
        const skipped = result.tests.filter(({ status }) => status === TestStatus.Skipped);
        skipped.forEach(({ name }) => report("not used", name, "mutate"));
    }

    /** Stryker tests what is left in the list. */
    onMutationTestingPlanReady({ mutantPlans }) {
        const { sample, tempDirName } = this.options;
        const [tested, others] = [true, false].map((one) => mutantPlans.filter(({ plan }) => (plan === "Run") === one));
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

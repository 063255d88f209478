/** Builds the single executable. The stacks of tests/support/engine.ts use the plugin in this folder. */
module.exports = async () => {
    const [{ buildStandalone }, { thisPlatform }] = await Promise.all([
        import("../../scripts/standalone/build.mjs"),
        import("../../scripts/standalone/runtimes.mjs"),
    ]);
    process.env.CLOUDDB_TEST_PLUGIN = await buildStandalone(thisPlatform);
};

/**
 * The tests of this folder that also run on the plugin: those in which the hosts differ, and before a release most of the
 * others. The hosts differ in how the engine passes secrets, URNs and signals, what a preview shows, and in which order
 * resources are replaced. The others test plans, waits and refusals, which both hosts call in the same way, and what
 * tests/native/properties.test.ts shows for each property.
 */
const onPlugin = {
    "adoption.release": "release",
    bareAnswers: "always",
    cancellation: "always",
    capture: "always",
    "deletionOrder.release": "release",
    "dialects.release": "release",
    "drift.release": "release",
    "engineCalls.release": "release",
    engineFlags: "always",
    forkSource: "always",
    ignoredOptions: "release",
    lifeCycle: "always",
    otherAnswers: "always",
    "otherAnswers.release": "release",
    passwordInForce: "always",
    passwordOutside: "always",
    "previews.release": "release",
    programErrors: "always",
    "projects.release": "release",
    protection: "always",
    "proxy.release": "release",
    "pullRequests.release": "release",
    refusedChanges: "always",
    replacement: "always",
    reported: "always",
    "rotation.release": "release",
    "secretProject.release": "release",
    secrets: "always",
    truth: "always",
    "upgrade/upgrade": "always",
    "waysOut.release": "release",
};

/** Fails for a name without a file. */
function fileOf(name) {
    require.resolve(`./${name}.test.ts`);
    return `<rootDir>/tests/engine/${name}.test.ts`;
}

/** The files that run at this time. */
module.exports = (time) =>
    Object.keys(onPlugin)
        .filter((name) => onPlugin[name] === time)
        .map(fileOf);

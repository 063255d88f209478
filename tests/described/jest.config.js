/** `npm test -- described`: both hosts, with a validating proxy in front of the emulator. */
const { configuration, onPlugin, project } = require("../support/jest");

const described = (displayName, settings) =>
    project("described", { displayName, globalSetup: "<rootDir>/tests/described/globalSetup.js", ...settings });

module.exports = configuration([described("dynamic"), described("plugin", onPlugin)], { maxWorkers: 1 });

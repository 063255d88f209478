/** `npm test -- standalone`: the tests of the native plugin, on the single executable. */
const { configuration } = require("../support/jest");
const { projects } = require("../native/jest.config");

const globalSetup = "<rootDir>/tests/standalone/globalSetup.js";

module.exports = configuration(projects.map((one) => ({ ...one, displayName: "standalone", globalSetup })));

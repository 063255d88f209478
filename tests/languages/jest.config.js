/** `npm test -- languages`. The first run builds the language hosts, which takes minutes. */
const { configuration, project } = require("../support/jest");

const languages = project("languages", {
    globalSetup: "<rootDir>/tests/languages/globalSetup.js",
    globalTeardown: "<rootDir>/tests/languages/globalTeardown.js",
});

module.exports = configuration([languages], { testTimeout: 15 * 60_000 });

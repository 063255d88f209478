/** `npm run test:languages`. The first run builds the language hosts, which takes minutes. */
const { configuration, project } = require("../support/jest");

module.exports = configuration([project("languages")], { maxWorkers: 2, testTimeout: 15 * 60_000 });

/** `npm run test:languages`. The first run builds the language hosts, which takes minutes. */
const { configuration, project } = require("../support/jest");

// The compiler of Go uses all cores.
module.exports = configuration([project("languages")], { maxWorkers: 1, testTimeout: 15 * 60_000 });

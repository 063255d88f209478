/** `npm test -- packaging`. Installs packages from the registry of npm, and takes about ten minutes. */
const { configuration, project } = require("../support/jest");

// Installations and compilers use all cores.
module.exports = configuration([project("packaging")], { maxWorkers: 1, testTimeout: 10 * 60_000 });

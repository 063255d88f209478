/** `npm test -- browser`: the page of the emulator in Chromium. */
const { configuration, project } = require("../support/jest");

module.exports = configuration([project("browser")]);

const { late } = require("./late");

module.exports = late(() => require("typescript"));

const { late } = require("./late");

module.exports = late(() => require("js-yaml/index.js"));

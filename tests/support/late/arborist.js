const { late } = require("./late");

module.exports = late(() => require("@npmcli/arborist/lib/index.js"));

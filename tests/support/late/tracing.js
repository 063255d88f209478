const { late, tracing } = require("./late");

module.exports = late(() => Object.assign({}, ...tracing.map((name) => require(name))));

const { lazy, tracing } = require("./lazy");

module.exports = lazy(() => Object.assign({}, ...tracing.map((name) => require(name))));

module.exports = (...args) => require("normalize-package-data/lib/normalize.js")(...args);

module.exports = () => require("./installation").install();

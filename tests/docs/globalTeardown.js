module.exports = () => require("./installation").remove();

module.exports = () => require("./userSdks").generate();

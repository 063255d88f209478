module.exports = () => require("./userSdks").remove();

/** The role of every service. */
export const roleName = "tsdbadmin";
/** The database of every service. */
export const databaseName = "tsdb";

/** The properties of a service that are always secret. The provider and the SDK both mark them. */
export const serviceSecrets = ["password", "initialPassword", "connectionString"] as const;

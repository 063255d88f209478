// Generated from the schema by `npm run generate`.

export const Addon = { Ai: "ai", TimeSeries: "time-series" } as const;
export type Addon = (typeof Addon)[keyof typeof Addon];

export const Environment = { Dev: "DEV", Prod: "PROD" } as const;
export type Environment = (typeof Environment)[keyof typeof Environment];

export const ForkStrategy = { LastSnapshot: "LAST_SNAPSHOT", Now: "NOW", Pitr: "PITR" } as const;
export type ForkStrategy = (typeof ForkStrategy)[keyof typeof ForkStrategy];

export const SslMode = { Require: "require", VerifyCa: "verify-ca", VerifyFull: "verify-full" } as const;
export type SslMode = (typeof SslMode)[keyof typeof SslMode];

export const WaitFor = { Active: "active", Provisioned: "provisioned" } as const;
export type WaitFor = (typeof WaitFor)[keyof typeof WaitFor];

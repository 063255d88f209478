import type * as pulumi from "@pulumi/pulumi";
import type { Fork as ForkInputs } from "../../provider/resources/service/inputs";
import type { ServiceInputs, ServiceOutputs } from "../../provider/resources/service/service";
import { resourceClass } from "./resourceClass";
import type { Args, IfString, OutputsOf } from "./types";

/**
 * The arguments of a {@link Service}. The password has at most one source, one outside of the state has a version, and a fork
 * has the region and the add-ons of its parent. `ServiceArgs<string>` accepts any string as one of some words, such as
 * `environment`.
 */
export type ServiceArgs<Word extends string = never> = OtherServiceArgs<Word> & PasswordArgs & DataArgs<Word>;

/** The arguments that can be combined with all others. */
interface OtherServiceArgs<Word extends string> extends Args<
    Omit<ServiceInputs, keyof PasswordArgs | keyof DataArgs<Word>>,
    Word
> {}

/** Where the password comes from. */
export type PasswordArgs = PasswordInState | PasswordInFile | PasswordInVariable;

/** The API generates the password, or the program declares it. */
interface PasswordInState extends Pick<AllArgs, "password"> {
    passwordFile?: never;
    passwordVariable?: never;
    passwordVersion?: never;
}

interface PasswordInFile extends Required<Pick<AllArgs, "passwordFile" | "passwordVersion">> {
    password?: never;
    passwordVariable?: never;
}

interface PasswordInVariable extends Required<Pick<AllArgs, "passwordVariable" | "passwordVersion">> {
    password?: never;
    passwordFile?: never;
}

/** Where the data comes from. */
export type DataArgs<Word extends string> = EmptyDatabase<Word> | ForkedDatabase<Word>;

interface EmptyDatabase<Word extends string> extends Pick<AllArgs<Word>, "regionCode" | "addons"> {
    fork?: never;
}

interface ForkedDatabase<Word extends string> {
    /**
     * Creates the service from the data of another service (`POST …/forkService`). A change replaces the service, which
     * requires `deletionProtection: false`.
     */
    fork?: pulumi.Input<Args<Fork, Word> | (Args<ForkInputs, Word> & IfString<Word>)>;
    regionCode?: never;
    addons?: never;
}

interface AllArgs<Word extends string = never> extends Args<ServiceInputs, Word> {}

/** The source of a forked service's data. */
export type Fork = ForkOfState | ForkOfTime;

/** The data of the last snapshot, or the current data. */
interface ForkOfState extends Pick<ForkInputs, "serviceId"> {
    readonly strategy: Exclude<ForkInputs["strategy"], "PITR">;
    readonly targetTime?: undefined;
}

/** The data at a point in time. */
interface ForkOfTime extends Required<ForkInputs> {
    readonly strategy: "PITR";
}

export interface Service<Word extends string = string> extends OutputsOf<ServiceOutputs, Word> {}

/**
 * A database service.
 *
 * Creating it calls `POST …/services`, or `POST …/services/{id}/forkService` if `fork` is set, and waits until the
 * status is `READY`. The provider then applies the settings that the create call does not accept. Changes are made in
 * place if the API supports it, one at a time. A change that requires a replacement fails in the preview while the state
 * has `deletionProtection: true`. Deleting it calls `DELETE …/services/{id}` and waits until the service is gone. The
 * resource id is the id of the service.
 */
export class Service<Word extends string = string> extends resourceClass<object>("Service") {
    constructor(name: string, args: ServiceArgs<Word> = {}, opts: pulumi.CustomResourceOptions = {}) {
        super(name, args, opts);
    }

    /** Reads an existing service by its id (`GET …/services/{id}`). Does not manage it. */
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Service {
        return new this(name, {}, { ...opts, id });
    }
}

import type * as pulumi from "@pulumi/pulumi";

/** Inputs of a program: every value may be an output of another resource, at any depth. */
export type Args<Inputs> = { [Key in keyof Inputs]: pulumi.Input<Arg<Inputs[Key]>> };

/** One of some words may be any string in a program. The check in the preview rejects another one. */
type Arg<Value> = string extends Value
    ? Value
    : Value extends readonly (infer Item)[]
      ? pulumi.Input<Arg<Item>>[]
      : Value extends object
        ? Args<Value>
        : Value | (Value extends string ? string & {} : never);

/** The outputs of a resource in a program. */
export type OutputsOf<Outputs> = { readonly [Key in keyof Outputs]: pulumi.Output<Outputs[Key]> };

import type * as pulumi from "@pulumi/pulumi";

/** Inputs of a program: every value may be an output of another resource, at any depth. */
export type Args<Inputs> = {
    [Key in keyof Inputs]: pulumi.Input<
        Inputs[Key] extends readonly (infer Item)[] | undefined
            ? pulumi.Input<Item>[]
            : Inputs[Key] extends object | undefined
              ? Args<Inputs[Key]>
              : Inputs[Key]
    >;
};

/** The outputs of a resource in a program. */
export type OutputsOf<Outputs> = { readonly [Key in keyof Outputs]: pulumi.Output<Outputs[Key]> };

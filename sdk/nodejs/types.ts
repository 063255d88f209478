import type * as pulumi from "@pulumi/pulumi";

/**
 * Inputs of a program: every value may be an output of another resource, at any depth. A class infers `Word`, the type of the
 * words that the program writes. While they are literals, the compiler checks them. Once one is a `string`, as in an object
 * that the program has built before, it accepts each, and the check in the preview rejects the wrong ones.
 */
export type Args<Inputs, Word extends string = never> = {
    [Key in keyof Inputs]: pulumi.Input<
        Inputs[Key] extends readonly (infer Item)[] | undefined
            ? pulumi.Input<Item | Words<Item, Word>>[]
            : Inputs[Key] extends object | undefined
              ? Args<Inputs[Key], Word>
              : Inputs[Key] | Words<Inputs[Key], Word>
    >;
};

/** The words of the program instead of a value that is one of some words. */
type Words<Value, Word extends string> = string extends Value
    ? never
    : Extract<Value, string> extends never
      ? never
      : Word & IfString<Word>;

/** Intersected with a type, it leaves that type if `Word` is `string`, and otherwise none. */
export type IfString<Word extends string> = string extends Word ? unknown : never;

/**
 * The outputs of a resource in a program. An interface with the name of a class has the type parameters of the class, and uses
 * `Word` here: without an effect.
 */
export type OutputsOf<Outputs, Word extends string = never> = {
    readonly [Key in keyof Outputs]: pulumi.Output<Exclude<Outputs[Key], Extract<never, Word>>>;
};

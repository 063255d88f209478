// `pulumi import` replaces this program with the generated one.
export {};

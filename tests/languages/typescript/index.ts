// `pulumi import` replaces this program by the generated one.
export {};

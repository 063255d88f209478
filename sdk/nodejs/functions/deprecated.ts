import { FunctionError } from "../../../provider/functions/function";
import type { FunctionOptions } from "./call";

/** @deprecated Use {@link FunctionError}. */
export const LookupError = FunctionError;
/** @deprecated Use {@link FunctionError}. */
export type LookupError = FunctionError;

/** @deprecated Use {@link FunctionOptions}. */
export type LookupOptions = FunctionOptions;

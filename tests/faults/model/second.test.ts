import { runHalf } from "./half";

runHalf(1);

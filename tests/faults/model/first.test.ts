import { runHalf } from "./half";

runHalf(0);

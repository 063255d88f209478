import { playHalf } from "./half";

playHalf(1);

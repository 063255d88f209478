import { playHalf } from "./half";

playHalf(0);

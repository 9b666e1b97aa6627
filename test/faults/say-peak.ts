/** Loaded into a program: it says on its way out what memory it took. */
import { peakMemory } from "./peak-memory.ts";

process.on("exit", () => console.error("peak", peakMemory()));

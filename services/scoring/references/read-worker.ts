/** Reads one reference file in a separate thread (`load.ts`). */
import { answerInThread } from "#libs/files/in-thread.ts";
import type { ReadTask } from "./load.ts";
import { readReference } from "./sources/index.ts";

answerInThread(({ source, file, today }: ReadTask) => readReference(source, file, today));

/** Runs in a thread of its own. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readReference } from "../sources/index.ts";
import type { ReadTask } from "./ref-read.ts";

answerInThread(({ source, file, today }: ReadTask) => readReference(source, file, today));

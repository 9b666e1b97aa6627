/** Runs in a thread of its own. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readAll } from "./read-files.ts";

answerInThread(readAll);

/** Runs in a separate thread. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readAll } from "./read-files.ts";

answerInThread(readAll);

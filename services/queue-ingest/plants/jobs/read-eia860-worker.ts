/** Runs in a separate thread: reads one file of form EIA-860. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readEia860 } from "../sources/index.ts";

answerInThread(readEia860);

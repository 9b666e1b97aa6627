/** Runs in a thread of its own: reads one file about companies. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readEvidence } from "../sources/index.ts";

answerInThread(readEvidence);

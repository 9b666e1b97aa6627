/** Reads one file about companies in a separate thread. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readEvidence } from "../sources/index.ts";

answerInThread(readEvidence);

/** Runs in a thread of its own: reads one file of a yearly form. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readEvidence } from "../sources/developers/index.ts";
import { readEia860 } from "../sources/eia860/index.ts";
import type { FormTask } from "./read-form.ts";

answerInThread((file: FormTask) => (file.form === "eia860" ? readEia860(file) : readEvidence(file)));

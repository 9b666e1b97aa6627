/** Runs in a thread of its own: reads the totals of an ERCOT report. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { ercotTotals } from "./ercot-summary.ts";

answerInThread(async ({ bytes }: { bytes: Uint8Array }) => ercotTotals(await readWorkbook(bytes)));

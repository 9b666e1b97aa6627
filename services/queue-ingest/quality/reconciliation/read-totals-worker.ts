/** Reads the totals of an ERCOT report in a separate thread. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { readErcotTotals } from "./ercot-summary.ts";

answerInThread(async ({ bytes }: { bytes: Uint8Array }) => readErcotTotals(await readWorkbook(bytes)));

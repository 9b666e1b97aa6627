/** Market prices taken in the way the service does, and asked for as callers do. */
import type { z } from "zod";
import type { operations as contract, ParamsInput } from "#libs/contract/index.ts";
import { marketDatasets } from "../../../services/queue-ingest/datasets/index.ts";
import { type DatasetReport, loadDataset } from "../../../services/queue-ingest/datasets/load-dataset.ts";
import type { RawFile } from "../../../services/queue-ingest/sources/source.ts";
import type { Queue } from "./queue.ts";

export type Price = z.output<(typeof contract)["listMarketPrices"]["reply"]>["data"][number];

/** Whatever recognises the file takes it in. */
export async function load(queue: Queue, file: RawFile, accept = false): Promise<DatasetReport> {
	const dataset = marketDatasets.find((each) => each.recognises(file));
	if (dataset === undefined) throw new Error(`${file.name} is no file of prices`);
	return loadDataset(queue.sql, dataset, { ...file, path: file.name }, new Date("2026-07-01T00:00:00Z"), { accept });
}

export const prices = async (queue: Queue, params: ParamsInput<"listMarketPrices"> = {}): Promise<Price[]> =>
	(await queue.ask("listMarketPrices", params)).data;

/** The hours of a local day in New York, in UTC. */
export function hoursOf(day: string, count: number): number[] {
	const first = Date.parse(`${day}T04:00:00Z`);
	return Array.from({ length: count }, (_, at) => first + at * 3_600_000);
}

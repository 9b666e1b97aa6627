/** What an operation streams, by its name. */
import type { Feed, Page, Sequenced } from "./feed.ts";

/** A caller's turn to be worked for. */
export type Turn = () => Promise<Disposable>;

export interface Channel<P, T extends Sequenced> {
	feed: Feed<T>;
	/** Of a client that catches up: what follows a number. */
	past(seq: number, turn: Turn): Promise<Page<T>>;
	/** Which items the parameters choose. */
	chooses(params: P): (item: T) => boolean;
	/** The event as it is sent. */
	bytesOf(params: P): (item: T) => Buffer;
	/** That there is the event, without its data: for a page, which then reads anew. */
	noticeOf(item: T): Buffer;
}

/** An event in the form of the HTML standard; `data` is JSON, in which no line ends. */
export const eventText = (seq: number, name: string, data: string): string =>
	`id: ${seq}\nevent: ${name}\ndata: ${data}\n\n`;

/** The events of the registry that are for readers outside. */
import { type EventShape, openPublishers } from "./events/event.ts";
import { type EventName, events } from "./index.ts";

export const openEvents: readonly { name: EventName; declared: EventShape }[] = Object.entries<EventShape>(events)
	.filter(([, { publisher }]) => openPublishers.includes(publisher))
	.map(([name, declared]) => ({ name: name as EventName, declared }));

import type { Journey } from "./journey.ts";
import { operatorJourney } from "./journeys/operator.ts";
import { personJourney } from "./journeys/person.ts";
import { signInJourney } from "./journeys/sign-in.ts";
import { tenantWeekJourney } from "./journeys/tenant-week.ts";

export const JOURNEYS: Journey[] = [signInJourney, operatorJourney, personJourney, tenantWeekJourney];

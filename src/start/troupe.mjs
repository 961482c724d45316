#!/usr/bin/env node
/*
 * Entry of the command `troupe`, in a checkout and in an installed package. Like bootstrap.mjs,
 * under any Node.
 */
import { runRole } from './bootstrap.mjs';

process.exit(await runRole('troupe', process.argv.slice(2)));

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const PERL = '/usr/bin/perl';

export const isPerlSmscInstalled = existsSync(PERL) && existsSync('/usr/share/perl5/Net/SMPP.pm');

/** A line of its output: the port, or a PDU that it read. */
export type PerlLine = Record<string, string | number>;

export interface PerlSmsc {
  port: number;
  lines: PerlLine[];
  stop(): Promise<void>;
}

/**
 * An SMSC based on Debian's libnet-smpp-perl: assigns a hexadecimal id to every message, and sends its receipt with the decimal
 * id before the response; sends enquire_link; prints what it reads as JSON.
 */
const program = String.raw`
use strict;
use warnings;
use Net::SMPP;
use JSON::PP;
$| = 1;
my $listener = Net::SMPP->new_listen('127.0.0.1', port => 0, smpp_version => 0x34) or die 'does not listen';
sub say_line { print JSON::PP->new->canonical->encode($_[0]), "\n" }
say_line({ port => $listener->sockport + 0 });
my $smsc = $listener->accept or die 'nothing came';
my $number = 48_879;
while (my $pdu = $smsc->read_pdu) {
  my $cmd = $pdu->{cmd};
  if ($cmd == 0x00000009) {
    say_line({ cmd => 'bind_transceiver', map { $_ => $pdu->{$_} } qw(system_id password system_type address_range) });
    $smsc->bind_transceiver_resp(system_id => 'perl', seq => $pdu->{seq});
    $smsc->enquire_link(async => 1);
  } elsif ($cmd == 0x00000004) {
    my %said = map { $_ => $pdu->{$_} } qw(source_addr destination_addr validity_period);
    my %numbers = map { $_ => $pdu->{$_} + 0 } qw(source_addr_ton esm_class registered_delivery data_coding);
    say_line({ cmd => 'submit_sm', %said, %numbers, short_message => unpack('H*', $pdu->{short_message}) });
    $number += 1;
    $smsc->deliver_sm(async => 1, esm_class => 4, source_addr => $pdu->{destination_addr},
      destination_addr => $pdu->{source_addr},
      short_message => "id:$number sub:001 dlvrd:001 submit date:2611230010 done date:2611230010 stat:DELIVRD err:000 text:");
    $smsc->submit_sm_resp(message_id => sprintf('%X', $number), seq => $pdu->{seq});
  } elsif ($cmd == 0x00000006) {
    say_line({ cmd => 'unbind' });
    $smsc->unbind_resp(seq => $pdu->{seq});
    last;
  } else {
    say_line({ cmd => sprintf('%08x', $cmd), status => $pdu->{status} + 0 });
  }
}
`;

export async function startPerlSmsc(): Promise<PerlSmsc> {
  const child = spawn(PERL, ['-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: PerlLine[] = [];
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('close', () => reject(new Error(`the SMSC did not start\n${errors}`)));
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as PerlLine;
      if (typeof line['port'] === 'number') resolve(line['port']);
      else lines.push(line);
    });
  });
  return {
    port,
    lines,
    stop: () => {
      child.kill();
      return ended;
    },
  };
}

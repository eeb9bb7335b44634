#include "tests/targets/adapters/function_fs.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

namespace takt::adapters {
namespace {

#pragma pack(push, 1)
struct Interface {
  usb_interface_descriptor interface;
  usb_endpoint_descriptor_no_audio to_host, from_host;
};
struct Descriptors {
  usb_functionfs_descs_head_v2 head;
  std::uint32_t full_speed_count, high_speed_count;
  Interface full_speed, high_speed;
};
struct Strings {
  usb_functionfs_strings_head head;
  std::uint16_t language;
  char name[5];
};
#pragma pack(pop)

[[noreturn]] void fail(const std::string& what) {
  std::perror(what.c_str());
  std::exit(1);
}

int open_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR);
  if (file < 0) fail(path);
  return file;
}

usb_endpoint_descriptor_no_audio bulk(std::uint8_t address, std::uint16_t packet) {
  return {.bLength = USB_DT_ENDPOINT_SIZE,
          .bDescriptorType = USB_DT_ENDPOINT,
          .bEndpointAddress = address,
          .bmAttributes = USB_ENDPOINT_XFER_BULK,
          .wMaxPacketSize = packet,
          .bInterval = 0};
}

Interface interface_with(std::uint16_t packet) {
  return {.interface = {.bLength = USB_DT_INTERFACE_SIZE,
                        .bDescriptorType = USB_DT_INTERFACE,
                        .bInterfaceNumber = 0,
                        .bAlternateSetting = 0,
                        .bNumEndpoints = 2,
                        .bInterfaceClass = USB_CLASS_VENDOR_SPEC,
                        .bInterfaceSubClass = 0,
                        .bInterfaceProtocol = 0,
                        .iInterface = 1},
          .to_host = bulk(USB_DIR_IN | 1, packet),
          .from_host = bulk(USB_DIR_OUT | 2, packet)};
}

}  // namespace

EndPoints open_function(const std::string& directory) {
  EndPoints points;
  points.control = open_file(directory + "/ep0");
  const Descriptors descriptors{.head = {.magic = FUNCTIONFS_DESCRIPTORS_MAGIC_V2,
                                         .length = sizeof(Descriptors),
                                         .flags = FUNCTIONFS_HAS_FS_DESC | FUNCTIONFS_HAS_HS_DESC},
                                .full_speed_count = 3,
                                .high_speed_count = 3,
                                .full_speed = interface_with(64),
                                .high_speed = interface_with(512)};
  if (write(points.control, &descriptors, sizeof descriptors) < 0) fail("descriptors");
  constexpr std::uint16_t english = 0x409;
  const Strings strings{
      .head = {.magic = FUNCTIONFS_STRINGS_MAGIC, .length = sizeof(Strings), .str_count = 1, .lang_count = 1},
      .language = english,
      .name = "takt"};
  if (write(points.control, &strings, sizeof strings) < 0) fail("strings");
  points.to_host = open_file(directory + "/ep1");
  points.from_host = open_file(directory + "/ep2");
  return points;
}

usb_ctrlrequest next_request(int control) {
  for (;;) {
    usb_functionfs_event event;
    if (read(control, &event, sizeof event) < static_cast<ssize_t>(sizeof event)) {
      if (errno == EINTR) continue;
      fail("control end point");
    }
    if (event.type == FUNCTIONFS_SETUP) return event.u.setup;
  }
}

Outbox::Outbox(int end_point) {
  std::thread([this, end_point] { write_messages(end_point); }).detach();
}

void Outbox::put(std::string message) {
  const std::lock_guard guard(mutex_);
  messages_.push_back(std::move(message));
  changed_.notify_one();
}

void Outbox::clear() {
  const std::lock_guard guard(mutex_);
  messages_.clear();
}

void Outbox::write_messages(int end_point) {
  for (std::unique_lock lock(mutex_);;) {
    changed_.wait(lock, [this] { return !messages_.empty(); });
    const std::string message = std::move(messages_.front());
    messages_.pop_front();
    lock.unlock();
    if (write(end_point, message.data(), message.size()) < 0) std::perror("end point to the host");
    lock.lock();
  }
}

}  // namespace takt::adapters
